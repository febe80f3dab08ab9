/** One signal below `.signals/`: that a part of a run ended, and how. */
export interface Signal {
  readonly layer: string;
  readonly name: string;
  /** What it left; empty: nothing. */
  readonly path: string;
  /** Of that file, in bytes. */
  readonly size: number;
  readonly status: SignalStatus;
  readonly createdAt: string | null;
  readonly completedAt: string | null;
  readonly traceId: string;
  readonly elapsedSeconds: number;
}

type SignalStatus = 'success' | 'fail' | 'needs-refinement';

const endings: Readonly<Record<SignalStatus, string>> = {
  success: 'done',
  fail: 'fail',
  'needs-refinement': 'refine',
};

/** Its name in the directory of the run. `name`: that of the signal, as a part of a file name. */
export function signalFile({ layer, status }: Pick<Signal, 'layer' | 'status'>, name: string): string {
  return `.signals/${layer}-${name}.${endings[status]}`;
}

/** In YAML that any reader takes. */
export function renderSignal(signal: Signal): string {
  const { path, size, status, createdAt, completedAt, traceId, layer, name, elapsedSeconds } = signal;
  const fields = {
    path,
    size,
    status,
    created_at: createdAt,
    completed_at: completedAt,
    trace_id: traceId,
    layer,
    name,
    elapsed_seconds: elapsedSeconds,
    version: 1,
  };
  return Object.entries(fields)
    .map(([member, value]) => `${member}: ${JSON.stringify(value)}\n`)
    .join('');
}
