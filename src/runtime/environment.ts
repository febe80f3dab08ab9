import { markerVariable } from './process-spec.ts';

/** Everything else of the operator's environment stays outside: that is where the secrets are. */
const allowed: ReadonlySet<string> = new Set(
  [
    'PATH HOME USER LANG TZ TMPDIR TERM',
    // A program inside finds the same settings, locks and workspaces as one outside.
    'XDG_CONFIG_HOME XDG_STATE_HOME',
    'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy',
    'NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO',
  ].flatMap((names) => names.split(' ')),
);

/** What a process may know about its place; null where it would mean nothing. */
export interface ProcessPlace {
  readonly attemptId: string;
  readonly runId: string;
  readonly step: string;
  readonly attempt: number;
  readonly project: string;
  readonly workspace: string;
  readonly depth: number;
  readonly maxDepth: number;
  readonly traceId: string;
  readonly session: SessionPlace | null;
}

interface SessionPlace {
  readonly id: string;
  readonly dir: string;
  readonly turn: number;
  readonly agent: string;
  readonly tier: string;
  /** Where `result.json` may be written. */
  readonly result: string;
}

export interface EnvironmentParts {
  readonly parent: Readonly<Record<string, string | undefined>>;
  /** Further names that the configuration lets through. */
  readonly names: readonly string[];
  /** What the driver adds. */
  readonly extra: Readonly<Record<string, string>>;
  readonly place: ProcessPlace;
}

/** The complete environment of a child. What describes its place cannot be overridden by anybody. */
export function childEnvironment(parts: EnvironmentParts): Record<string, string> {
  return {
    ...inheritedEnvironment(parts),
    ...Object.fromEntries(Object.entries(parts.extra).filter(([name]) => !describesPlace(name))),
    ...placeVariables(parts.place),
  };
}

/** What of the operator's environment a child sees. */
export function inheritedEnvironment({
  parent,
  names,
}: Pick<EnvironmentParts, 'parent' | 'names'>): Record<string, string> {
  const named = new Set(names);
  return Object.fromEntries(
    Object.entries(parent).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        !describesPlace(entry[0]) &&
        (allowed.has(entry[0]) || entry[0].startsWith('LC_') || named.has(entry[0])),
    ),
  );
}

/** A nested run must not pass on the place it was itself started in, even where a variable is absent now. */
const placeNames = new Set(
  'RUN_ID STEP ATTEMPT TURN SESSION_ID SESSION_DIR PROJECT WORKSPACE AGENT TIER DEPTH MAX_DEPTH TRACE_ID RESULT'
    .split(' ')
    .map((name) => `TUTTI_${name}`)
    .concat('AGENTIC_SPAWN_DEPTH', 'AGENTIC_TRACE_ID', markerVariable),
);

function describesPlace(name: string): boolean {
  return placeNames.has(name);
}

function placeVariables(place: ProcessPlace): Record<string, string> {
  const { session } = place;
  return {
    [markerVariable]: place.attemptId,
    TUTTI_RUN_ID: place.runId,
    TUTTI_STEP: place.step,
    TUTTI_ATTEMPT: String(place.attempt),
    TUTTI_PROJECT: place.project,
    TUTTI_WORKSPACE: place.workspace,
    TUTTI_DEPTH: String(place.depth),
    TUTTI_MAX_DEPTH: String(place.maxDepth),
    TUTTI_TRACE_ID: place.traceId,
    AGENTIC_SPAWN_DEPTH: String(place.depth),
    AGENTIC_TRACE_ID: place.traceId,
    ...(session === null
      ? {}
      : {
          TUTTI_TURN: String(session.turn),
          TUTTI_SESSION_ID: session.id,
          TUTTI_SESSION_DIR: session.dir,
          TUTTI_AGENT: session.agent,
          TUTTI_TIER: session.tier,
          TUTTI_RESULT: session.result,
        }),
  };
}
