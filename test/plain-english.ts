/** Riddles about people, archaic words, and empty verbs. */
export const unplain =
  /\b(?:(?:no|some|any|every)body|who(?:so)?ever|anew|mend(?:s|ed|ing)?|(?:is|are|was|were|be|been|being) told|(?:go(?:es|ing)?|went) on|so named|all the same)\b/gi;

/** A driver is the adapter of an agent CLI: a run is held, advanced and replayed. A host is a machine. */
export const homonyms =
  /(?:\b(?:driv(?:es?|en|ing)|drove|hosted|host tasks?|(?:session|terminal) hosts?)|--host tmux)\b/gi;
