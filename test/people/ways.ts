/** What becomes of a way to decide: the decision is refused (or never made), or it is made. */
export type Fate = 'refused' | 'decided';

/**
 * A way for an agent to decide, as a shell script. `$DECIDE` is a script that answers the open question as soon as it is
 * run and writes the exit code; `$LATER` is the same after the session has ended.
 */
export interface Way {
  readonly name: string;
  readonly script: string;
  /** Where sessions have control groups. */
  readonly grouped: Fate;
  /** Where they have none. */
  readonly ungrouped: Fate;
  /** Why it is made nevertheless, in the words of docs/security.md. */
  readonly because?: 'another process' | 'the database' | 'own code' | 'no control groups' | 'own namespaces';
  readonly needs?: 'tmux' | 'unshare';
  /** Refused to a person too: a step or a session decides there, or claims to. */
  readonly byNobody?: true;
  /** Refused even without the rule: nothing reads what was written. */
  readonly pointless?: true;
}

const clean = 'env -i PATH="$PATH" HOME="$HOME"';
const refused = { grouped: 'refused', ungrouped: 'refused' } as const;
const untraced = { grouped: 'refused', ungrouped: 'decided', because: 'no control groups' } as const;
const made = { grouped: 'decided', ungrouped: 'decided' } as const;

/** A process that is no child of its starter: two forks, and the one between has ended. */
const forkTwice = (command: string): string => `sh -c '${command} &' & wait; await_decision`;

export const ways: readonly Way[] = [
  { name: 'the plain command', script: 'sh "$DECIDE"', ...refused },
  { name: 'without TUTTI_SESSION_ID', script: 'env -u TUTTI_SESSION_ID sh "$DECIDE"', ...refused },
  {
    name: 'without any variable of Tutti',
    script: `for name in $(env | sed -n 's/^\\(TUTTI_[A-Z_]*\\)=.*/\\1/p; s/^\\(AGENTIC_[A-Z_]*\\)=.*/\\1/p'); do unset "$name"; done
sh "$DECIDE"`,
    ...refused,
  },
  { name: 'with an empty environment', script: `${clean} sh "$DECIDE"`, ...refused },
  {
    name: 'with variables that claim to be a person',
    script: `${clean} USER=ada LOGNAME=ada SSH_TTY=/dev/pts/0 TERM=xterm TUTTI_PERSON=1 TUTTI_CALLER=person sh "$DECIDE"`,
    ...refused,
  },
  {
    name: 'in the name of another session',
    script: 'TUTTI_SESSION_ID=20200101-000000-other TUTTI_DEPTH=0 sh "$DECIDE"',
    byNobody: true,
    ...refused,
  },
  {
    name: 'with a home whose configuration delegates it',
    script: `mkdir -p "$WAY/home/.config/tutti"
echo 'delegate: {answer: agents}' >"$WAY/home/.config/tutti/config.yaml"
chmod 600 "$WAY/home/.config/tutti/config.yaml"
XDG_STATE_HOME="\${XDG_STATE_HOME:-$HOME/.local/state}" HOME="$WAY/home" XDG_CONFIG_HOME="$WAY/home/.config" sh "$DECIDE"`,
    ...refused,
  },
  { name: 'with setsid', script: 'setsid -w sh "$DECIDE"', ...refused },
  { name: 'with setsid and an empty environment', script: `setsid -w ${clean} sh "$DECIDE"`, ...refused },
  { name: 'with nohup in the background', script: 'nohup sh "$DECIDE" & wait', ...refused },
  { name: 'with nohup after its session has ended', script: 'nohup sh "$LATER" &', ...refused },
  { name: 'through a double fork', script: forkTwice('sh "$DECIDE"'), ...refused },
  {
    name: 'through a double fork with an empty environment',
    script: forkTwice(`${clean} sh "$DECIDE"`),
    ...refused,
  },
  { name: 'through a double fork with setsid', script: forkTwice('setsid sh "$DECIDE"'), ...refused },
  {
    name: 'through a double fork with setsid and an empty environment',
    script: forkTwice(`setsid ${clean} sh "$DECIDE"`),
    ...untraced,
  },
  {
    name: 'later, through a double fork with setsid and an empty environment',
    script: `sh -c 'setsid ${clean} sh "$LATER" &' & wait`,
    ...untraced,
  },
  { name: 'in a terminal of its own making', script: 'script -qec "sh $DECIDE" /dev/null', ...refused },
  {
    name: 'in a tmux server of its own',
    script: 'tmux -L "$SOCKET" -f /dev/null new-session -d "sh $DECIDE"; await_decision',
    needs: 'tmux',
    ...refused,
  },
  {
    name: 'in a tmux server of its own with an empty environment',
    script: `${clean} tmux -L "$SOCKET" -f /dev/null new-session -d "sh $DECIDE"; await_decision`,
    needs: 'tmux',
    ...untraced,
  },
  {
    name: "in a window of the person's tmux server",
    script: 'tmux -L "$PERSON_SOCKET" new-window -d "sh $DECIDE"; await_decision',
    needs: 'tmux',
    because: 'another process',
    ...made,
  },
  {
    name: 'as a job of a service that runs commands for the person, as cron and at do',
    script: 'cp "$DECIDE" "$JOBS/now.sh"; await_decision',
    because: 'another process',
    ...made,
  },
  {
    name: 'as a step of a flow that the conductor runs',
    script: `$TUTTI run "$WAY/flow.yaml" --detach; await_decision`,
    byNobody: true,
    ...refused,
  },
  {
    name: 'as a step of a flow, through a double fork with setsid and an empty environment',
    script: `$TUTTI run "$WAY/escaping.yaml" --detach; await_decision`,
    byNobody: true,
    ...untraced,
  },
  {
    name: 'in namespaces of its own with an empty environment',
    script: `unshare -UrpfC --mount-proc ${clean} sh "$DECIDE"`,
    needs: 'unshare',
    because: 'own namespaces',
    ...made,
  },
  {
    name: 'early, before the question is asked',
    script: 'OTHER="answer asked/another yes" sh "$DECIDE"',
    pointless: true,
    ...refused,
  },
  {
    name: '--yes for a plan',
    script: 'OTHER="plan $WAY/spec.md --plan forged --yes" sh "$DECIDE"',
    ...refused,
  },
  {
    name: 'a higher ceiling for a run',
    script: 'TUTTI_MAX_DEPTH=90 OTHER="run $PROJECT/asking.yaml --run-id asked" sh "$DECIDE"',
    ...refused,
  },
  {
    name: "a delegation in the project's file",
    script: `echo 'delegate: {answer: agents}' >>"$PROJECT/tutti.yaml"; sh "$DECIDE"`,
    ...refused,
  },
  {
    name: 'an edited view',
    script: `sed -i 's/"waiting"/"done"/g' "$PROJECT/.tutti/runs/asked/state.json"; echo 1 >"$WAY/code"`,
    pointless: true,
    ...refused,
  },
  {
    name: 'through the programming interface',
    script: '"$NODE" "$RIG/answer-by-interface.ts" "$PROJECT" "$QUESTION"; echo $? >"$WAY/code"',
    ...refused,
  },
  {
    name: 'by a row in the database',
    script: '"$NODE" "$RIG/answer-by-database.ts" "$PROJECT"; echo $? >"$WAY/code"',
    because: 'the database',
    ...made,
  },
  {
    name: "with code of its own around Tutti's",
    script: '"$NODE" "$RIG/tutti-without-rule.ts" answer "$QUESTION" yes; echo $? >"$WAY/code"',
    because: 'own code',
    ...made,
  },
];
