import type { GateEvidence } from '../../model/gate.ts';
import { commandGate } from '../../gates/command.ts';
import { diffGate } from '../../gates/diff.ts';
import { fileGate } from '../../gates/file.ts';
import { schemaGate } from '../../gates/schema.ts';
import { toolsGate } from '../../gates/tools.ts';
import { runGit } from '../../workspace/git.ts';
import { type NoEnd, runCommand } from './command.ts';
import type { OperationCall } from './operation-call.ts';

export async function runGate({
  parts,
  attempt,
  args: { gate, toolCalls },
  workspace,
  how,
}: OperationCall<'gate'>): Promise<GateEvidence | NoEnd> {
  switch (gate.kind) {
    case 'command': {
      const end = await runCommand(parts, attempt, { argv: gate.argv, workspace }, how);
      return typeof end === 'string' ? end : commandGate(gate, end);
    }
    case 'file':
      return fileGate(gate, workspace);
    case 'schema':
      return schemaGate(gate, { workspace, projectDir: parts.paths.root });
    case 'diff':
      return diffGate((args) => runGit(workspace, args));
    case 'tools':
      return toolsGate(gate, toolCalls);
  }
}
