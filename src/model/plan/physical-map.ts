/** Which files the behaviors become: `artifacts/physical-map.json`. Paths are relative to the target directory. */
export interface PhysicalMap {
  readonly version: '1.0';
  readonly target_dir: string;
  readonly capability_map_checksum: string;
  readonly file_mapping: readonly FileMapping[];
  readonly cross_cutting: readonly { readonly concern: string; readonly files: readonly PlannedFile[] }[];
  readonly infrastructure: readonly PlannedFile[];
  readonly summary: { readonly total_behaviors: number; readonly total_files: number };
}

interface FileMapping {
  readonly behavior_id: string;
  readonly behavior_name: string;
  readonly files: readonly PlannedFile[];
  readonly tests: readonly { readonly path: string; readonly action: PlannedAction }[];
}

export type PlannedAction = 'create' | 'modify' | 'extend';
export type FileLayer = 'api' | 'domain' | 'data' | 'infra' | 'test';

export interface PlannedFile {
  readonly path: string;
  readonly action: PlannedAction;
  readonly layer: FileLayer;
  readonly purpose: string;
}
