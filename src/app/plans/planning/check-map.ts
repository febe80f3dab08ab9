import { changePlan } from '../../plan-record/change-plan.ts';
import { contentAddress } from '../../../lib/digest.ts';
import { replaceFile } from '../../../lib/atomic-file.ts';
import { err, ok, type Result } from '../../../lib/result.ts';
import { behaviorChanges, mappingChanges } from '../../../model/plan/artifact-changes.ts';
import type { CapabilityMap } from '../../../model/plan/capability-map.ts';
import { isChecksumOf } from '../../../model/plan/checksum.ts';
import { capabilityContent, physicalContent } from '../../../model/plan/content-digest.ts';
import type { PhysicalMap } from '../../../model/plan/physical-map.ts';
import type { CheckedArtifact } from '../../../model/plan/plan-check.ts';
import { capabilityMapFile, physicalMapFile } from '../../../model/plan/plan-facts.ts';
import type { PlanChange } from '../../../model/plan/plan-record.ts';
import { withMap } from '../../../model/plan/plan-transitions.ts';
import { capabilityMapForm } from '../../../model/schemas/capability-map.ts';
import { readJsonForm } from '../../../model/schemas/json-document.ts';
import { physicalMapForm } from '../../../model/schemas/physical-map.ts';
import { readCapabilityMap, readPhysicalMap } from '../../plan-files/load-plan.ts';
import { readPlanFile } from '../../plan-files/plan-file.ts';
import { copyOf, keepCopy } from './checked-copies.ts';
import type { CheckRequest, Looked, PlanPlace } from './check-request.ts';

const maxBytes = 64 * 1024 * 1024;

type MapName = 'capability_map' | 'physical_map';
type Described = Omit<CheckedArtifact, 'checksum' | 'tasks'>;

export function checkMap(place: PlanPlace, name: MapName, request: CheckRequest): Looked {
  const described = name === 'capability_map' ? capabilities(place, request) : physical(place, request);
  if (!described.ok) return described;
  const { paths, parts, record } = place;
  const file = readPlanFile(
    paths.dir,
    name === 'capability_map' ? capabilityMapFile : physicalMapFile,
    maxBytes,
  );
  if (!file.ok) return err([file.error]);
  const checked = { ...described.value, checksum: contentAddress(file.value), tasks: null };
  const take = (advanced: (next: typeof record) => PlanChange) => {
    keepCopy(paths, name, checked.digest, file.value);
    return changePlan(parts, record.name, (now) => advanced(withMap(now, name, checked.digest)));
  };
  return ok({ checked, take });
}

type Read = Result<Described, Extract<Looked, { ok: false }>['error']>;

function capabilities({ paths, facts }: PlanPlace, { before }: CheckRequest): Read {
  const read = readCapabilityMap(paths.dir, facts);
  if (!read.ok) return read;
  const old = before === null ? null : oldCapabilities(copyOf(paths, 'capability_map', before));
  const { value, digest } = read.value;
  const changes = old === null ? null : behaviorChanges(old, value);
  return ok({ digest, content: capabilityContent(value), changes });
}

function physical(place: PlanPlace, { before, same }: CheckRequest): Read {
  const { paths, facts } = place;
  if (typeof same === 'string') stampAnew(place, same);
  const read = readPhysicalMap(paths.dir, facts);
  if (!read.ok) return read;
  const old = before === null ? null : oldPhysical(copyOf(paths, 'physical_map', before));
  const { value, digest } = read.value;
  return ok({
    digest,
    content: physicalContent(value),
    changes: old === null ? null : mappingChanges(old, value),
  });
}

/**
 * A physical map that was made from a capability map with the same content is still right: only the checksum in it is of a
 * file that has another specification's checksum in it. No agent is needed for that.
 */
function stampAnew({ paths, facts }: PlanPlace, same: string): void {
  const text = readPlanFile(paths.dir, physicalMapFile, maxBytes);
  const now = readPlanFile(paths.dir, capabilityMapFile, maxBytes);
  const old = copyOf(paths, 'capability_map', same);
  const current = readCapabilityMap(paths.dir, facts);
  if (!text.ok || !now.ok || old === null || !current.ok || old === now.value) return;
  const then = oldCapabilities(old);
  const form = readJsonForm(physicalMapForm, text.value, physicalMapFile);
  if (then === null || !form.ok) return;
  if (capabilityContent(then) !== capabilityContent(current.value.value)) return;
  const given = form.value.capability_map_checksum;
  if (!isChecksumOf(given, old)) return;
  replaceFile(paths.physicalMap, text.value.replace(given, contentAddress(now.value)));
}

function oldCapabilities(text: string | null): CapabilityMap | null {
  const form = text === null ? null : readJsonForm(capabilityMapForm, text, capabilityMapFile);
  return form?.ok === true ? form.value : null;
}

function oldPhysical(text: string | null): PhysicalMap | null {
  const form = text === null ? null : readJsonForm(physicalMapForm, text, physicalMapFile);
  return form?.ok === true ? form.value : null;
}
