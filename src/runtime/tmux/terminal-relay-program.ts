import { runTerminal } from './terminal.ts';

// The program of a pane: it has the terminal, and gives it to the interface.
await runTerminal(process.argv[2] ?? '', process.argv[3] ?? '');
process.exit(0);
