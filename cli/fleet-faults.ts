/** `parley fleet down|silence|lack|hide|resize|confirm|state`: faults of the simulated cloud (play-faults.ts). */
import { type Command, InvalidArgumentError } from 'commander';
import { contentSources, type SimulatedSource } from '../clouds/simulated/host-content';
import {
  confirmResize,
  hideInstance,
  resizeInstance,
  setDown,
  setLacking,
  setSilent,
  setState,
} from '../clouds/simulated/play-faults';
import { simulatedStates } from '../clouds/simulated/states';
import type { ServeFleet } from './serve-fleet';

const source = (text: string, before: readonly SimulatedSource[] = []): SimulatedSource[] => {
  const known = contentSources.find((one) => one === text);
  if (known !== undefined) return [...before, known];
  throw new InvalidArgumentError(`one of ${contentSources.join(', ')} is needed.`);
};

const addDown = (fleet: Command, serve: ServeFleet): void => {
  fleet
    .command('down <host>')
    .description('let the service of a host not answer: nothing moves to it or from it until "fleet repair"')
    .action((host: string) =>
      serve(async ({ db, say }) => {
        await setDown(db, host, true);
        say(`Host ${host} is down.\n`);
      }),
    );
};

const addSilence = (fleet: Command, serve: ServeFleet): void => {
  fleet
    .command('silence <host>')
    .description('let the cloud not tell what is on a host, and leave its instances out of lists until "fleet repair"')
    .action((host: string) =>
      serve(async ({ db, say }) => {
        await setSilent(db, host, true);
        say(`The cloud tells nothing of host ${host} any more.\n`);
      }),
    );
};

const addLack = (fleet: Command, serve: ServeFleet): void => {
  fleet
    .command('lack <host> <resource...>')
    .description('let a host that is up not offer these of its further resources until "fleet repair"')
    .action((host: string, resources: readonly string[]) =>
      serve(async ({ db, say }) => {
        await setLacking(db, host, resources);
        say(`Host ${host} lacks: ${resources.join(', ')}.\n`);
      }),
    );
};

const addHide = (fleet: Command, serve: ServeFleet): void => {
  fleet
    .command('hide <instance>')
    .description('let sources of the cloud not know an instance until "fleet repair"')
    .argument('<source...>', `${contentSources.join(', ')}: one or several`, source)
    .action((instance: string, sources: readonly SimulatedSource[]) =>
      serve(async ({ db, say }) => {
        await hideInstance(db, instance, sources);
        say(`${instance} is hidden from: ${sources.join(', ')}.\n`);
      }),
    );
};

const addResize = (fleet: Command, serve: ServeFleet): void => {
  fleet
    .command('resize <instance> <host>')
    .description('resize an instance onto a host, as its project would: it may go back until "fleet confirm"')
    .action((instance: string, host: string) =>
      serve(async ({ db, say }) => {
        await resizeInstance(db, instance, host);
        say(`Resized ${instance} onto ${host}; "fleet confirm ${instance}" gives its way back up.\n`);
      }),
    );
};

const addConfirm = (fleet: Command, serve: ServeFleet): void => {
  fleet
    .command('confirm <instance>')
    .description('confirm the resize of an instance, as its project would')
    .action((instance: string) =>
      serve(async ({ db, say }) => {
        await confirmResize(db, instance);
        say(`Confirmed the resize of ${instance}.\n`);
      }),
    );
};

const addState = (fleet: Command, serve: ServeFleet): void => {
  fleet
    .command('state <instance> <state>')
    .description(`put an instance into a state, in which it may not be moved: ${simulatedStates.join(', ')}`)
    .action((instance: string, state: string) =>
      serve(async ({ db, say }) => {
        await setState(db, instance, state);
        say(`${instance} is ${state}.\n`);
      }),
    );
};

export const addFaultCommands = (fleet: Command, serve: ServeFleet): void => {
  for (const add of [addDown, addSilence, addLack, addHide, addResize, addConfirm, addState]) add(fleet, serve);
};
