/** Releases a host that a person works on. */
import type { Command } from 'commander';
import { type CommandTools, type CommonFlags, describe } from '../command-tools';
import { sessionOfHost } from '../host-names';
import { done, show } from '../output';

interface ReleaseFlags extends CommonFlags {
  readonly session?: string;
  readonly failed?: true;
  readonly note?: string;
}

export const addRelease = (program: Command, { apiFor, console }: CommandTools): void => {
  describe(program, {
    isChange: true,
    usage: 'release <host>',
    summary: 'tell that the work of a person on a host is over',
    about: 'The session waits with the host in hand while its action plug-in hold runs.',
    examples: [
      ['The work is done', "parley release compute-7 --note 'the disk in bay 3 is new'"],
      ['It has failed', 'parley release compute-7 --failed'],
    ],
  })
    .option('-s, --session <session>', 'the session; else the one that is not over, and has the host')
    .option('--failed', 'the work has failed, and with it the host')
    .option('--note <text>', 'for the record of the plug-in')
    .action(async (given: string, { session, failed, note = '', ...flags }: ReleaseFlags) => {
      const api = await apiFor(flags);
      const hostname = given.replace(/^host\//, '');
      const sessionId = await sessionOfHost(api, session, hostname);
      const answer = await api.releaseHost({ sessionId, hostname }, { outcome: failed ? 'failed' : 'done', note });
      const words = answer.changed ? 'released' : 'was released before: nothing was changed';
      show(console, flags.output, done(`host/${hostname}`, words, { object: answer }));
    });
};
