/** How a session is steered that was created without any addition, as the detail shows it. */
import { serializeSteering } from '../../api/showing/serialize-steering';
import { noSteering } from '../../prisma/session/session-steering';

export const noShownSteering = serializeSteering(noSteering);
