/** Leads from an address that names nothing to what there is. */
import { hashOf } from '../address';

export const LinkToSessions = () => <a href={hashOf({ name: 'home' })}>Go to the sessions</a>;
