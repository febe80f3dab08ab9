import { programOf } from './program-of.ts';

export async function claudeProgram(): Promise<string> {
  const { program } = await programOf('claude');
  return program;
}
