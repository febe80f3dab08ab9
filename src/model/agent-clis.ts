/** The agent CLIs that need no declaration, in the order in which a project without a driver looks for them. */
export const agentClis = ['claude', 'codex', 'gemini', 'opencode'] as const;
export type AgentCli = (typeof agentClis)[number];
