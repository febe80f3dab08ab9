export const logLevels = ['INFO', 'WARN', 'ERROR'] as const;
