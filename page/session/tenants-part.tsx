/** Whom to phone: the tenants of the session, the most urgent one first. */
import { nameOr } from '../../rules/words/names';
import { count } from '../../rules/words/times';
import { hashOf } from '../address';
import type { Tenant } from '../client/types';
import type { Seen } from '../live/count-down';
import { Folded } from '../parts/folded';
import { LookNote } from '../parts/look-note';
import { Left } from '../parts/times';
import type { SessionLooks } from './session-looks';

export const TenantsPart = ({ looks }: { readonly looks: SessionLooks }) => {
  const isOver = looks.summary.seen.value?.body.progress === 'done';
  const seen = looks.tenants.seen.value;
  return (
    <section aria-labelledby="tenants">
      <h2 id="tenants">{isOver ? 'Whom it asked' : 'Whom to phone'}</h2>
      <LookNote look={looks.tenants} />
      {seen?.body.length === 0 && <p class="hint">Nobody was asked yet.</p>}
      {seen !== undefined && seen.body.length > 0 && <Tenants seen={seen} />}
    </section>
  );
};

/** A large session has hundreds of tenants; the most urgent ones come first. */
const shown = 12;

const Tenants = ({ seen: { body, atMs } }: { readonly seen: Seen<readonly Tenant[]> }) => (
  <>
    <TenantTable tenants={body.slice(0, shown)} atMs={atMs} />
    {body.length > shown && (
      <Folded
        words={count(body.length - shown, 'more tenant')}
        show={() => <TenantTable tenants={body.slice(shown)} atMs={atMs} />}
      />
    )}
  </>
);

interface TenantTableProps {
  readonly tenants: readonly Tenant[];
  readonly atMs: number;
}

const hostsShown = 3;

const hostsInWords = (hosts: readonly string[]): string => {
  const more = hosts.length - hostsShown;
  return hosts.slice(0, hostsShown).join(', ') + (more > 0 ? ` and ${more} more` : '');
};

const TenantTable = ({ tenants, atMs }: TenantTableProps) => (
  <div class="scrolls" tabIndex={0} role="region" aria-label="Table of the tenants">
    <table>
      <thead>
        <tr>
          <th scope="col">Tenant</th>
          <th scope="col">Contact</th>
          <th scope="col">Left</th>
          <th scope="col">Hosts</th>
          <th scope="col">Silent</th>
        </tr>
      </thead>
      <tbody>
        {tenants.map((one) => (
          <tr key={one.project_id}>
            <th scope="row" title={one.project_id}>
              <a href={hashOf({ name: 'project', projectId: one.project_id })}>
                {nameOr(one.project_id, one.project_name)}
              </a>
            </th>
            <td>{one.contact ?? '–'}</td>
            <td>{one.open_questions === 0 ? '–' : <Left seconds={one.seconds_left} atMs={atMs} />}</td>
            <td title={one.hosts.join(', ')}>{hostsInWords(one.hosts) || '–'}</td>
            <td>
              {one.silent} of {one.asked}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
