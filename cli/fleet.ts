/**
 * `parley fleet …`: loads the simulated cloud's fleet, shows it and edits it while the service runs. Failures are
 * FleetErrors, whose messages are for the user.
 */
import { type Command, InvalidArgumentError } from 'commander';
import {
  addInstance,
  failNextDisables,
  failNextMoves,
  moveInstance,
  removeInstance,
  repair,
} from '../clouds/simulated/edit-fleet';
import { FleetError } from '../clouds/simulated/fleet-error';
import { readFleetFile } from '../clouds/simulated/fleet-file';
import { loadFleet } from '../clouds/simulated/load-fleet';
import { viewFleet } from '../clouds/simulated/view-fleet';
import type { Database } from '../prisma/database';
import { findSessionsUnderWay } from '../prisma/session/sessions';
import { shortId } from '../rules/words/times';
import { columnsOf } from './client/render/terminal-text';
import { addFaultCommands } from './fleet-faults';
import { fleetTable } from './fleet-table';
import type { ServeFleet } from './serve-fleet';

const largestInteger = 2_147_483_647;
const uuidPattern = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

const count = (text: string): number => {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= largestInteger) return value;
  throw new InvalidArgumentError('a whole number from 0 on is needed.');
};

const seconds = (text: string): number => {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= largestInteger) return value;
  throw new InvalidArgumentError('a number of seconds from 0 on is needed.');
};

const uuid = (text: string): string => {
  if (uuidPattern.test(text)) return text;
  throw new InvalidArgumentError('a UUID is needed.');
};

/** A session that finds other hosts than it has begun with fails, or leaves hosts as they are. */
const refuseUnderSessions = async (db: Database): Promise<void> => {
  const sessions = await findSessionsUnderWay(db);
  if (sessions.length === 0) return;
  const names = sessions.map(({ id, name }) => (name === null ? shortId(id) : `${shortId(id)} (${name})`)).join(', ');
  throw new FleetError(
    `the cloud would be replaced under ${sessions.length === 1 ? 'session' : 'sessions'} ${names}; ` +
      'wait until they are over or delete them, or give --force',
  );
};

const addLoad = (fleet: Command, serve: ServeFleet): void => {
  fleet
    .command('load <file>')
    .description('replace the fleet by the one in FILE and store its constraints, as its projects would')
    .option('--without-constraints', 'leave the constraints of the file out')
    .option('--force', 'even under sessions, and while instances are asked about or moved')
    .action((file: string, options: { withoutConstraints?: true; force?: true }) =>
      serve(async ({ db, say }) => {
        const loaded = await readFleetFile(file);
        const storeConstraints = options.withoutConstraints !== true;
        if (options.force !== true) await refuseUnderSessions(db);
        await loadFleet(db, loaded, { storeConstraints, force: options.force === true });
        say(`Loaded ${loaded.name}: ${loaded.hosts.length} hosts, ${loaded.instances.length} instances.\n`);
      }),
    );
};

const addShow = (fleet: Command, serve: ServeFleet): void => {
  fleet
    .command('show')
    .description('show hosts, instances and the moves that run')
    .option('--json', 'as JSON')
    .action((options: { json?: true }) =>
      serve(async ({ db, say }) => {
        const view = await viewFleet(db);
        say(
          options.json === true
            ? `${JSON.stringify(view, undefined, 2)}\n`
            : fleetTable(view, columnsOf(process.stdout)),
        );
      }),
    );
};

const failWhat = 'name an instance and how many of its moves fail (N), or a host and how many disables (--disable N)';

const addFail = (fleet: Command, serve: ServeFleet): void => {
  fleet
    .command('fail <name>')
    .description("let an instance's next N moves fail, or with --disable N let a host refuse to be disabled N times")
    .argument('[n]', 'how many moves of the instance', count)
    .option('--disable <n>', 'NAME is a host: refuse its next N disables', count)
    .action((name: string, moves: number | undefined, { disable }: { disable?: number }) =>
      serve(async ({ db, say }) => {
        if (moves !== undefined && disable === undefined) {
          await failNextMoves(db, name, moves);
          say(`The next ${moves} moves of ${name} fail.\n`);
          return;
        }
        if (moves !== undefined || disable === undefined) throw new FleetError(failWhat);
        await failNextDisables(db, name, disable);
        say(`The next ${disable} disables of ${name} are refused.\n`);
      }),
    );
};

const addRepair = (fleet: Command, serve: ServeFleet): void => {
  fleet
    .command('repair <name>')
    .description('take back all faults of an instance or a host')
    .option('--enable', 'enable the host again')
    .action((name: string, options: { enable?: true }) =>
      serve(async ({ db, say }) => {
        const what = await repair(db, { name, enable: options.enable === true });
        say(`Repaired ${what} ${name}.\n`);
      }),
    );
};

const addRemove = (fleet: Command, serve: ServeFleet): void => {
  fleet
    .command('remove <instance>')
    .description('delete an instance, as its project would')
    .action((instance: string) =>
      serve(async ({ db, say }) => {
        await removeInstance(db, instance);
        say(`Removed ${instance}.\n`);
      }),
    );
};

interface AddOptions {
  readonly host: string;
  readonly project: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly name?: string;
  readonly group?: string;
  readonly flavor?: string;
  readonly moveS: number;
}

const addAdd = (fleet: Command, serve: ServeFleet): void => {
  fleet
    .command('add')
    .description('make an instance, as a project would, and print its ID')
    .requiredOption('--host <host>', 'where it runs')
    .requiredOption('--project <uuid>', 'whose it is', uuid)
    .requiredOption('--vcpus <count>', 'its vcpus', count)
    .requiredOption('--memory-mb <count>', 'its memory in MB', count)
    .option('--name <name>', 'its name')
    .option('--group <uuid>', 'its group', uuid)
    .option('--flavor <name>', 'its flavor (default: VCPUSxMEMORY)')
    .option('--move-s <seconds>', 'how long a move of it takes, in simulated seconds', seconds, 10)
    .action(({ project, name, group, moveS, ...rest }: AddOptions) =>
      serve(async ({ db, say }) => {
        const named = name === undefined ? {} : { instanceName: name };
        const grouped = group === undefined ? {} : { groupId: group };
        const id = await addInstance(db, { ...rest, ...named, ...grouped, projectId: project, moveSeconds: moveS });
        say(`${id}\n`);
      }),
    );
};

const addMove = (fleet: Command, serve: ServeFleet): void => {
  fleet
    .command('move <instance> <host>')
    .description('move an instance at once, behind the back of the service')
    .action((instance: string, host: string) =>
      serve(async ({ db, say }) => {
        await moveInstance(db, instance, host);
        say(`Moved ${instance} to ${host}.\n`);
      }),
    );
};

/** Adds `fleet` and its subcommands. Each opens the database, works and closes it. */
export const addFleetCommands = (program: Command, open: () => Promise<Database>): void => {
  const fleet = program.command('fleet');
  const serve: ServeFleet = async (work) => {
    const db = await open();
    try {
      await work({ db, say: (text) => program.configureOutput().writeOut?.(text) });
    } finally {
      await db.$disconnect();
    }
  };
  for (const add of [addLoad, addShow, addFail, addRepair, addRemove, addAdd, addMove, addFaultCommands])
    add(fleet, serve);
};
