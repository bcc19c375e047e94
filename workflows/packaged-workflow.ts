/** The workflow plug-in of a session's package: loaded within the sandbox, and checked before it is used. */
import * as temporalWorkflow from '@temporalio/workflow';
import { ApplicationFailure, CancellationScope, ContinueAsNew, sleep, TemporalFailure } from '@temporalio/workflow';
import { defaultWorkflow } from '../plugins/workflows/default';
import { vnfWorkflow } from '../plugins/workflows/vnf';
import type { StateHandler, WorkflowPlugin } from '../plugins/workflows/workflow-plugin';
import { loadModule, type ModuleFunction } from './package-modules';
import { parseWorkflowPlugin } from './parse-workflow-plugin';

/** The files that the worker puts into the bundle of this session's queue (worker/package-bundle.ts). */
interface PackagedModule {
  /** The module of the workflow: a path in `files`. */
  readonly entry: string;
  readonly files: readonly (readonly [string, ModuleFunction])[];
}

declare global {
  // Only `var` makes a property of globalThis. The bundle of the main task queue does not have it.
  var parleyPackage: PackagedModule | undefined;
}

/** The modules that a package may require, beside its own files (docs/plugins.md). */
const given = {
  parley: { defaultWorkflow, vnfWorkflow },
  '@temporalio/workflow': temporalWorkflow,
};

interface WantedActivities {
  /** The workflow's name from the create request. */
  readonly name: string;
  /** The time that a handler has to end its work after the session is deleted or aborted. */
  readonly cancelGraceSeconds: number;
}

/** @throws Error that describes the fault of the package's module, in words for its author */
export const loadPackagedWorkflow = ({ name, cancelGraceSeconds }: WantedActivities): WorkflowPlugin => {
  const found = globalThis.parleyPackage;
  if (found === undefined) throw new Error('it is neither built in nor in the packages');
  const exported = loadModule({ files: new Map(found.files), given }, found.entry);
  const plugin = parseWorkflowPlugin(exported, name);
  const states = Object.entries(plugin.states).map(
    ([state, handler]) => [state, guarded({ name, state, cancelGraceSeconds }, handler)] as const,
  );
  return { ...plugin, states: Object.fromEntries(states) };
};

interface PlaceOfWorkflow {
  readonly name: string;
  readonly state: string;
  readonly cancelGraceSeconds: number;
}

/** Names the state in the handler's failure. Does not wait for a handler that does not end when it is cancelled. */
const guarded =
  ({ name, state, cancelGraceSeconds }: PlaceOfWorkflow, handler: StateHandler): StateHandler =>
  async (session) => {
    const handling = { isOver: false, graceMs: cancelGraceSeconds * 1000 };
    try {
      return await Promise.race([handler(session), untilGivenUp(handling)]);
    } catch (error) {
      if (error instanceof TemporalFailure || error instanceof ContinueAsNew) throw error;
      throw ApplicationFailure.nonRetryable(`workflow ${name}, state ${state}: ${inWords(error)}`, 'WorkflowPlugin');
    } finally {
      handling.isOver = true;
    }
  };

const untilGivenUp = async (handling: { readonly isOver: boolean; readonly graceMs: number }): Promise<never> => {
  try {
    return await CancellationScope.current().cancelRequested;
  } catch (error) {
    if (!handling.isOver) await CancellationScope.nonCancellable(() => sleep(handling.graceMs));
    throw error;
  }
};

/** The text of a value that a module has thrown, which may be anything. */
export const inWords = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
};
