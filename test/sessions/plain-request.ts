import type { CreateRequest } from '../../src/app/session-control/request.ts';

/** What somebody asks for who says nothing but who is to do what is in a file. */
export function plainRequest(folder: string, promptFile: string): CreateRequest {
  return {
    agent: 'worker',
    promptFile,
    folder,
    driver: null,
    host: null,
    cwd: null,
    addDirs: [],
    tags: [],
    parent: null,
    after: [],
    retry: 0,
    maxDurationMs: null,
    result: null,
    resultSchema: null,
    template: null,
  };
}
