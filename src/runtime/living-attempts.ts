import { groupMembers } from '../lib/process/cgroup-members.ts';
import { system } from '../lib/process/system.ts';
import { groupName } from './limits/group.ts';
import { markerVariable } from './process-spec.ts';

/** Which attempts have living processes: the system is asked once, however many attempts are asked about. */
export function livingAttempts(): (marker: string) => boolean {
  const marks = new Set<string>();
  system().withVariable(markerVariable, (mark) => {
    marks.add(mark);
    return false;
  });
  // Those that cleared their environment are still in their group.
  const groups = new Set<string>();
  groupMembers((name) => {
    groups.add(name);
    return false;
  });
  return (marker) => marks.has(marker) || groups.has(groupName(marker));
}
