/** A session without an action for its hosts, or for some of them: nothing is maintained there. */

export interface HostsWithoutAction {
  readonly hostCount: number;
  /** The names of the hosts on which no action runs. */
  readonly without: readonly string[];
  /** Whether the session is there already: its actions cannot be changed any more. */
  readonly isCreated: boolean;
}

const namesShown = 3;

/** undefined: an action runs on every host. */
export const nothingMaintained = ({
  hostCount,
  without,
  isCreated,
}: HostsWithoutAction): { readonly because: string; readonly help: string } | undefined => {
  if (without.length === 0) return undefined;
  return {
    because:
      `the session has no action for ${hostsInWords(without, hostCount)}, so nothing is maintained there: ` +
      'hosts are only drained, disabled and enabled again',
    help: isCreated
      ? 'nothing has to be done if that is meant; else maintain them in another session, with an action of type host'
      : 'nothing has to be done if that is meant; else name an action of type host, compute or controller',
  };
};

const hostsInWords = (without: readonly string[], hostCount: number): string => {
  if (without.length === hostCount) return 'its hosts';
  const more = without.length - namesShown;
  const names = without.slice(0, namesShown).join(', ');
  return `host${without.length === 1 ? '' : 's'} ${names}${more > 0 ? ` and ${more} more` : ''}`;
};
