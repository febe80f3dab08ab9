import type { AgentCli } from './agent-clis.ts';

/** `acts`: it can run programs or grant permissions. `tells`: text for the model, which the CLI reads by itself. */
export type SurfacePower = 'acts' | 'tells';

/** Who uses what a repository brings: an agent CLI, or Tutti itself. */
export type SurfaceReader = AgentCli | 'tutti';

/** Something that a repository brings and that acts or speaks by itself. */
export interface Surface {
  readonly cli: SurfaceReader;
  readonly power: SurfacePower;
  /** From the root of the checkout. */
  readonly path: string;
}

/** Whether a person trusts the repository that a turn works in, and what it brings. */
export interface WorkspaceTrust {
  readonly trusted: boolean;
  /** The main checkout's root, by which trust is recorded; outside git, the folder itself. */
  readonly repository: string;
  /** The workspace, every folder above it to the root of the checkout, and the repository: where a CLI looks for its own trust. */
  readonly folders: readonly string[];
  readonly surfaces: readonly Surface[];
}

/** What a driver has to do with the files of a repository. */
export interface Restraint {
  /** Whose files it takes settings from. */
  readonly obeys: readonly AgentCli[];
  /** Whether its plan keeps it from them where the repository is not trusted. */
  readonly restrains: boolean;
  /** It listens from this version on; absent: one that does not know the flag does not start. */
  readonly restrainedSince?: { readonly program: string; readonly version: string };
}

/** What the repository brings for such a driver. */
function surfacesFor({ obeys }: Pick<Restraint, 'obeys'>, surfaces: readonly Surface[]): readonly Surface[] {
  const readers: readonly SurfaceReader[] = obeys;
  return surfaces.filter(({ cli }) => readers.includes(cli));
}

/**
 * Null, or why a driver may not start there: headless CLIs do not ask whether a repository is trusted, and this one cannot be
 * kept from what it brings.
 */
export function trustProblem(name: string, driver: Restraint, trust: WorkspaceTrust): string | null {
  return driver.restrains ? null : unrestrained(name, driver, trust);
}

/** The same for a driver that was found not to listen. Null: there is nothing to keep it from. */
export function unrestrained(
  name: string,
  driver: Pick<Restraint, 'obeys'>,
  { trusted, repository, surfaces }: WorkspaceTrust,
): string | null {
  const acting = trusted ? [] : surfacesFor(driver, surfaces).filter(({ power }) => power === 'acts');
  if (acting.length === 0) return null;
  return (
    `driver ${name} cannot be kept from ${named(acting)} of ${repository}, which is not trusted: ` +
    'look at them, then: tutti trust'
  );
}

/** Instructions that Tutti gives to every agent, trusted or not: text, which runs nothing. */
const instructionFiles: readonly string[] = ['AGENTS.md', 'CLAUDE.md'];

/** What is not used without trust. `project`: the folder of the project, from the root of the checkout. */
export function unusedSurfaces<SURFACE extends Pick<Surface, 'path'>>(
  surfaces: readonly SURFACE[],
  project: string,
): readonly SURFACE[] {
  const own = project === '' ? [] : instructionFiles.map((name) => `${project}/${name}`);
  const told = new Set([...instructionFiles, ...own]);
  return surfaces.filter(({ path }) => !told.has(path));
}

/** Null, or what is not used there, for the log of a session. */
export function trustNote(
  driver: Restraint,
  { trusted, surfaces }: WorkspaceTrust,
  project: string,
): string | null {
  const ignored = trusted ? [] : unusedSurfaces(surfacesFor(driver, surfaces), project);
  if (ignored.length === 0) return null;
  return `Not used, because the repository is not trusted (tutti trust): ${named(ignored)}`;
}

const shown = 8;

/** The first few by name: a repository can bring any number. */
export function named(surfaces: readonly Pick<Surface, 'path'>[]): string {
  const paths = [...new Set(surfaces.map(({ path }) => path))];
  const rest = paths.length - shown;
  return [...paths.slice(0, shown), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
