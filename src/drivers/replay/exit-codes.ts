/** No turn of the cassette fits what was asked. */
export const unmatchedExit = 70;

/** The cassette cannot be read, or a turn asks for what is not allowed. */
export const invalidCassetteExit = 65;

/** A turn could not be played: a command failed, a file could not be written. */
export const brokenTurnExit = 1;
