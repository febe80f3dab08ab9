import type { WorkspaceTrust } from '../../src/model/trust.ts';

/** Of a folder that nobody has trusted, and that brings nothing. */
export const noTrust: WorkspaceTrust = { trusted: false, repository: '/w', folders: ['/w'], surfaces: [] };

export const fullTrust: WorkspaceTrust = { ...noTrust, trusted: true };
