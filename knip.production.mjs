import base from './knip.json' with { type: 'json' };

/** What only tests use is dead code too. Internals that have unit tests of their own stay exported. */
export default {
  ...base,
  ignoreExportsUsedInFile: true,
  // The table of the layers' exit codes, which the compose family reads.
  ignore: ['src/model/propagation.ts'],
};
