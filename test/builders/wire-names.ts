import type { WireNames } from '../../events/envelope';

/** The specification's names, which are the defaults of the settings. */
export const specifiedNames: WireNames = { serviceName: 'parley', projectEventType: 'maintenance.planned' };
