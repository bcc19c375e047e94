/** The rest of the form, folded away: plug-ins, how the session is steered, downloads. */
import { bindTo } from '../parts/bind';
import { Area } from '../parts/fields';
import { ActionFields } from './action-fields';
import { mayEvict } from './draft';
import { partInWords } from './draft-in-words';
import { EvictionFields } from './eviction-fields';
import { Fold } from './fold';
import type { DraftFieldsProps } from './request-fields';
import {
  CanaryFields,
  FreezeFields,
  LimitFields,
  OwnerHoursFields,
  PostponeFields,
  ReplyFields,
} from './steering-fields';
import { WindowFields } from './window-fields';

const limits = [
  '/max_parallel_hosts',
  '/max_parallel_per',
  '/one_domain_at_a_time',
  '/host_start_seconds',
  '/max_failed_hosts',
  '/failed_hosts',
  '/deadline',
];

export const FurtherFields = ({
  draft,
  onChange,
  plugins,
}: DraftFieldsProps & { readonly plugins: readonly string[] }) => (
  <div class="folds">
    <Fold name="What is done to hosts" value={partInWords('plugins', draft)} at={['/actions']}>
      <ActionFields actions={draft.actions} known={plugins} onChange={(actions) => onChange({ actions })} />
    </Fold>
    <Fold name="Limits and deadline" value={partInWords('limits', draft)} at={limits} areTold>
      <LimitFields draft={draft} onChange={onChange} />
    </Fold>
    {mayEvict(draft.workflow) && (
      <Fold name="Pods that somebody may miss" value={partInWords('eviction', draft)} at={['/eviction']}>
        <EvictionFields draft={draft} onChange={onChange} />
      </Fold>
    )}
    <TimeFolds draft={draft} onChange={onChange} />
    <OwnerFolds draft={draft} onChange={onChange} />
    <Fold name="Downloads and metadata" value={partInWords('downloads', draft)} at={['/download', '/metadata']}>
      <fieldset>
        <legend>Downloads and metadata</legend>
        <Area label="Packages to download (URLs)" {...bindTo(draft, onChange)('downloads')} />
        <Area label="Metadata for projects (JSON)" {...bindTo(draft, onChange)('metadata')} />
      </fieldset>
    </Fold>
  </div>
);

const TimeFolds = ({ draft, onChange }: DraftFieldsProps) => (
  <>
    <Fold name="First some hosts alone" value={partInWords('canary', draft)} at={['/canary']}>
      <CanaryFields draft={draft} onChange={onChange} />
    </Fold>
    <Fold name="Maintenance windows" value={partInWords('windows', draft)} at={['/windows']}>
      <WindowFields
        legend="Maintenance windows"
        none="None: work may begin at any time."
        windows={draft.windows}
        onChange={(windows) => onChange({ windows })}
      />
    </Fold>
    <Fold name="Freezes" value={partInWords('freezes', draft)} at={['/ignore_freezes']}>
      <FreezeFields draft={draft} onChange={onChange} />
    </Fold>
  </>
);

const OwnerFolds = ({ draft, onChange }: DraftFieldsProps) => (
  <>
    <Fold name="When a project does not agree" value={partInWords('replies', draft)} at={['/reply_policy']}>
      <ReplyFields draft={draft} onChange={onChange} />
    </Fold>
    <Fold name="Let projects put work off" value={partInWords('postpone', draft)} at={['/postpone']}>
      <PostponeFields draft={draft} onChange={onChange} />
    </Fold>
    <Fold name="Hours of owners" value={partInWords('ownerHours', draft)} at={['/owner_hours']}>
      <OwnerHoursFields draft={draft} onChange={onChange} />
    </Fold>
  </>
);
