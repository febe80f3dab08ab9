/** What a scripted model answers at one point of a turn. */
export interface ModelStep {
  readonly text?: string;
  /** A text is the input of a free-form tool, which some models have. */
  readonly tools?: readonly { readonly name: string; readonly input: object | string }[];
  /** An error of the API instead of an answer. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
  /** It never answers. */
  readonly hang?: boolean;
  /** Sent as the whole answer, as it is. */
  readonly raw?: string;
}

export interface ModelRule<Step = ModelStep> {
  /** Part of the last thing the person said; absent fits everything. */
  readonly match?: string;
  /** The n-th is given after n answers to that. */
  readonly steps: readonly Step[];
}

/** What a model sees when its next answer is wanted, whichever API carries it. Everything is in the request: nothing is kept. */
export interface Asked {
  /** The last thing the person said, without what the CLI adds in the person's name. */
  readonly prompt: string;
  /** Everything the person said in this conversation, the oldest first. */
  readonly said: readonly string[];
  readonly system: string;
  /** Answers that the model gave since the prompt. */
  readonly done: number;
  /** What the tools returned since the prompt, the oldest first. */
  readonly results: readonly string[];
  /** Names of the tools that it may call. */
  readonly tools: readonly string[];
  readonly model: string;
  /** Whether the last answer must have a form that the CLI prescribes. */
  readonly schema: boolean;
}

/** A scripted model with a behaviour: rules where the answers are known beforehand, a function where it reacts. */
export type Brain<Step = ModelStep> = (asked: Asked) => Step | { readonly text: string };

export function brainOf<Step>(script: Brain<Step> | readonly ModelRule<Step>[]): Brain<Step> {
  return typeof script === 'function' ? script : followRules(script);
}

function followRules<Step>(rules: readonly ModelRule<Step>[]): Brain<Step> {
  return ({ prompt, done }) => {
    const rule = rules.find(({ match }) => match === undefined || prompt.includes(match));
    return rule?.steps[Math.min(done, rule.steps.length - 1)] ?? { text: 'ok' };
  };
}

/** Tokens as a tokenizer would count them, near enough to compare two requests: four bytes each. */
export function measuredTokens(body: string): number {
  return Math.ceil(Buffer.byteLength(body) / 4);
}
