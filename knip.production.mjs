import base from './knip.json' with { type: 'json' };

/** What only tests use is dead code too. Internals that have unit tests of their own stay exported. */
export default {
  ...base,
  ignoreExportsUsedInFile: true,
  // What the layers of a composition return; the workflow `compose` builds it.
  ignore: ['src/model/compose/{part-summary,phase-report,stage-manifest}.ts'],
};
