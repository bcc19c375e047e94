/** An action by which an instance leaves its host, in the words of the specification. */
export type MoveAction = 'LIVE_MIGRATE' | 'MIGRATE' | 'OWN_ACTION' | 'EVICTION';
