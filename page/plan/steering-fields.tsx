/** How a session is steered: the same fields before it is created and while it runs. */
import { ownZone } from '../live/shown-zone';
import { bindTo } from '../parts/bind';
import { Choice, TextField } from '../parts/fields';
import type { SteeringDraft } from './draft';
import { EvictionFields } from './eviction-fields';
import { AtField } from './faults';
import { WindowFields } from './window-fields';

export interface SteeringFieldsProps {
  readonly draft: SteeringDraft;
  readonly onChange: (change: Partial<SteeringDraft>) => void;
}

interface AllSteeringProps extends SteeringFieldsProps {
  /** True where pods are evicted. */
  readonly hasEviction: boolean;
}

const silences = [
  ['', 'as by default'],
  ['default', 'move them by default'],
  ['skip_host', 'skip the host'],
  ['pause', 'pause the session'],
] as const;
const lastNacks = [
  ['', 'as by default'],
  ['fail', 'fail the session'],
  ['skip_host', 'skip the host'],
  ['pause', 'pause the session'],
] as const;
const failedHosts = [
  ['', 'as by default'],
  ['leave_disabled', 'leave them disabled'],
  ['enable', 'enable them again'],
] as const;
const keptHours = [
  ['', 'as by default: keep to them'],
  ['keep', 'keep to them'],
  ['until', 'keep to them until a time'],
  ['ignore', 'ignore them'],
] as const;
const thens = [
  ['continue', 'go on by itself'],
  ['resume', 'wait until I resume it'],
] as const;

export const SteeringFields = ({ draft, onChange, hasEviction }: AllSteeringProps) => (
  <>
    <LimitFields draft={draft} onChange={onChange} />
    {hasEviction && <EvictionFields draft={draft} onChange={onChange} />}
    <ReplyFields draft={draft} onChange={onChange} />
    <PostponeFields draft={draft} onChange={onChange} />
    <OwnerHoursFields draft={draft} onChange={onChange} />
    <CanaryFields draft={draft} onChange={onChange} />
    <WindowFields
      legend="Maintenance windows"
      none="None: work may begin at any time."
      windows={draft.windows}
      onChange={(windows) => onChange({ windows })}
    />
    <FreezeFields draft={draft} onChange={onChange} />
  </>
);

export const LimitFields = ({ draft, onChange }: SteeringFieldsProps) => {
  const bind = bindTo(draft, onChange);
  return (
    <fieldset>
      <legend>Limits</legend>
      <div class="pair">
        <AtField at="/max_parallel_hosts">
          <TextField
            label="Hosts under work at once, at most"
            type="number"
            hint="with vnf and k8s alone; empty: as many as is safe"
            {...bind('maxParallel')}
          />
        </AtField>
        <DomainLimits draft={draft} onChange={onChange} />
        <AtField at="/host_start_seconds">
          <TextField
            label="Seconds for a host to be up again"
            type="number"
            hint="after them it has failed; empty: as the settings say"
            {...bind('hostStart')}
          />
        </AtField>
        <FailureLimits draft={draft} onChange={onChange} />
        <AtField at="/deadline">
          <TextField
            label="Deadline"
            type="datetime-local"
            hint={`in your time zone, ${ownZone}; it warns, and stops nothing`}
            {...bind('deadline')}
          />
        </AtField>
      </div>
    </fieldset>
  );
};

const DomainLimits = ({ draft, onChange }: SteeringFieldsProps) => {
  const bind = bindTo(draft, onChange);
  return (
    <>
      <AtField at="/max_parallel_per">
        <TextField
          label="Hosts at once for each label"
          placeholder="zone=3 rack=1"
          hint="with vnf and k8s alone: of one zone, and of one rack"
          {...bind('maxPer')}
        />
      </AtField>
      <AtField at="/one_domain_at_a_time">
        <TextField
          label="One at a time"
          placeholder="rack"
          hint="with vnf and k8s alone: a label that hosts under work have in common"
          {...bind('oneDomain')}
        />
      </AtField>
    </>
  );
};

const FailureLimits = ({ draft, onChange }: SteeringFieldsProps) => {
  const bind = bindTo(draft, onChange);
  return (
    <>
      <AtField at="/max_failed_hosts">
        <TextField
          label="Hosts that may fail"
          type="number"
          hint="empty: none, the session fails with the first"
          {...bind('maxFailed')}
        />
      </AtField>
      <AtField at="/failed_hosts">
        <Choice label="Hosts that have failed" options={failedHosts} {...bind('failedHosts')} />
      </AtField>
    </>
  );
};

export const ReplyFields = ({ draft, onChange }: SteeringFieldsProps) => {
  const bind = bindTo(draft, onChange);
  return (
    <fieldset>
      <legend>When a project does not agree</legend>
      <div class="pair">
        <Choice label="It does not answer" options={silences} {...bind('silence')} />
        <Choice label="It refuses for the last time" options={lastNacks} {...bind('lastNack')} />
      </div>
    </fieldset>
  );
};

export const PostponeFields = ({ draft, onChange }: SteeringFieldsProps) => {
  const bind = bindTo(draft, onChange);
  return (
    <fieldset>
      <legend>Let projects put work off</legend>
      <div class="pair">
        <TextField
          label="For so many seconds"
          type="number"
          hint="after a project was first asked; empty: not at all"
          {...bind('postponeSeconds')}
        />
        <TextField
          label="Or until"
          type="datetime-local"
          hint={`in your time zone, ${ownZone}; seconds count where both are given`}
          {...bind('postponeUntil')}
        />
      </div>
    </fieldset>
  );
};

export const OwnerHoursFields = ({ draft, onChange }: SteeringFieldsProps) => {
  const bind = bindTo(draft, onChange);
  return (
    <fieldset>
      <legend>The hours in which owners let you work</legend>
      <div class="pair">
        <Choice label="Keep to them" options={keptHours} {...bind('ownerHours')} />
        {draft.ownerHours === 'until' && (
          <TextField
            label="Until"
            type="datetime-local"
            hint={`in your time zone, ${ownZone}`}
            {...bind('ownerHoursUntil')}
          />
        )}
      </div>
    </fieldset>
  );
};

export const CanaryFields = ({ draft, onChange }: SteeringFieldsProps) => {
  const bind = bindTo(draft, onChange);
  return (
    <fieldset>
      <legend>First some hosts alone (canary)</legend>
      <div class="pair">
        <TextField label="How many hosts, or which" hint="a number, or names" {...bind('canaryHosts')} />
        <Choice label="Then" options={thens} {...bind('canaryThen')} />
        {draft.canaryThen === 'continue' && (
          <TextField label="After so many seconds" type="number" {...bind('canaryWait')} />
        )}
      </div>
    </fieldset>
  );
};

export const FreezeFields = ({ draft, onChange }: SteeringFieldsProps) => {
  const bind = bindTo(draft, onChange);
  return (
    <fieldset>
      <legend>Freezes</legend>
      <TextField
        label="Ignore them, because"
        hint="the reason, such as an urgent repair; empty: nothing begins while a freeze lasts"
        {...bind('ignoreFreezes')}
      />
    </fieldset>
  );
};
