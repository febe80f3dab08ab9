import { StepFailed, type Ctx, type Workflow } from '../../src/kernel/ctx.ts';
import type { Json } from '../../src/lib/json.ts';
import { type SessionSpec, workflowHandoff } from '../../src/model/turn.ts';
import type { Random } from './random.ts';

/** A workflow as data, so that chance can write one and a child can be given a part of it. */
export type Node =
  | { readonly kind: 'step'; readonly id: string; readonly failures: number; readonly retries: number }
  | { readonly kind: 'task' | 'session'; readonly id: string; readonly priority: number }
  | { readonly kind: 'ask'; readonly id: string }
  | { readonly kind: 'sleep'; readonly id: string; readonly ms: number }
  | { readonly kind: 'child'; readonly id: string; readonly part: Node }
  | { readonly kind: 'seq' | 'all' | 'race'; readonly id: string; readonly parts: readonly Node[] };

const hourMs = 3_600_000;

export function randomProgram(random: Random): Node {
  let count = 0;
  const id = () => {
    count += 1;
    return `n${count}`;
  };
  const leaf = (): Node => {
    const kind = random.weighted({ step: 4, task: 3, session: 5, ask: 1.5, sleep: 1.5 });
    if (kind === 'step')
      return {
        kind,
        id: id(),
        failures: random.chance(0.3) ? 1 + random.below(2) : 0,
        retries: random.below(3),
      };
    if (kind === 'ask') return { kind, id: id() };
    if (kind === 'sleep')
      return { kind, id: id(), ms: random.chance(0.2) ? random.below(72 * hourMs) : random.below(60_000) };
    return { kind, id: id(), priority: random.below(3) };
  };
  const node = (depth: number): Node => {
    if (depth === 0 || count > 7) return leaf();
    const kind = random.weighted({ leaf: 4, seq: 3, all: 4, race: 2, child: 1.5 });
    if (kind === 'leaf') return leaf();
    if (kind === 'child') return { kind, id: id(), part: node(depth - 1) };
    const parts = Array.from({ length: 2 + random.below(2) }, () => node(depth - 1));
    return { kind, id: id(), parts };
  };
  const parts = [node(2), node(2)];
  return { kind: 'seq', id: 'root', parts };
}

/** What the simulation wants to know while a workflow runs. */
export interface Watch {
  /** A local step runs now, for real. */
  stepRuns(runId: string, key: string): void;
  /** Workflow code was given this as the result of a key. */
  saw(runId: string, key: string, value: Json): void;
}

export function programWorkflow(watch: Watch): Workflow {
  return {
    name: 'program',
    run: (ctx, input) => new Interpreter(watch).run(ctx, input as unknown as Node),
  };
}

class Interpreter {
  readonly #watch: Watch;

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  async run(ctx: Ctx, node: Node): Promise<Json> {
    try {
      const value = await this.#do(ctx, node);
      if (node.kind !== 'seq' && node.kind !== 'all' && node.kind !== 'race')
        this.#watch.saw(ctx.runId, node.id, value);
      return value;
    } catch (error) {
      // What failed is a value here, so that the rest goes on; everything else is not the program's business.
      if (error instanceof StepFailed) return { failed: node.id, reason: error.failure.reason };
      throw error;
    }
  }

  async #do(ctx: Ctx, node: Node): Promise<Json> {
    switch (node.kind) {
      case 'step':
        return ctx.step(node.id, ({ number }) => this.#step(ctx, node, number), {
          retries: node.retries,
          backoffMs: 500,
        });
      case 'task':
        return ctx.operation(node.id, 'digest', { globs: [] }, { workspace: '/w', priority: node.priority });
      case 'session':
        return (await ctx.session(node.id, { ...spec, priority: node.priority })) as unknown as Json;
      case 'ask': {
        ctx.emit(`${node.id}/told`, `asks ${node.id}`, null);
        return (await ctx.ask(node.id, { text: node.id })).text;
      }
      case 'sleep':
        await ctx.sleep(node.id, node.ms);
        return null;
      case 'child':
        return (await ctx.child(node.id, 'program', node.part)).value;
      case 'seq': {
        const values: Json[] = [];
        for (const part of node.parts) values.push(await this.run(ctx, part));
        return values;
      }
      case 'all':
        return ctx.all(node.parts.map((part) => (inner: Ctx) => this.run(inner, part)));
      case 'race':
        return ctx.race(
          node.id,
          Object.fromEntries(node.parts.map((part) => [part.id, (inner: Ctx) => this.run(inner, part)])),
        );
    }
  }

  #step(ctx: Ctx, node: Extract<Node, { kind: 'step' }>, attempt: number): Json {
    this.#watch.stepRuns(ctx.runId, node.id);
    if (attempt <= node.failures) throw new Error(`try ${attempt} of ${node.id}`);
    return `${node.id} by try ${attempt}`;
  }
}

const spec: SessionSpec = {
  agent: 'a',
  driver: 'd',
  tier: 'low',
  systemPrompt: '',
  prompt: '',
  workspace: '/w',
  turn: 1,
  continues: null,
  conversation: null,
  result: 'optional',
  timeoutMs: 3_600_000,
  priority: 0,
  handoff: workflowHandoff,
};
