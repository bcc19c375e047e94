import type { WireNames } from '../../events/envelope';

/** As the specification has them, and as the settings are by default. */
export const specifiedNames: WireNames = { serviceName: 'parley', projectEventType: 'maintenance.planned' };
