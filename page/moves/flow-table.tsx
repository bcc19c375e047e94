/** The same as the picture, for those who do not see it or want to copy it. */
import { Folded } from '../parts/folded';
import type { Flow } from './flows';

const mostRows = 200;

export const FlowTable = ({ flows }: { readonly flows: readonly Flow[] }) => (
  <Folded words="The same as a table" show={() => <Table flows={flows} />} />
);

const Table = ({ flows }: { readonly flows: readonly Flow[] }) => (
  <>
    <div class="scrolls" tabIndex={0} role="region" aria-label="Table of the moves">
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Tenant</th>
            <th scope="col">State</th>
            <th scope="col">Instances</th>
          </tr>
        </thead>
        <tbody>
          {flows.slice(0, mostRows).map(({ from, to, tenant, state, instances }, at) => (
            <tr key={at}>
              <td>{from}</td>
              <td>{to}</td>
              <td>{tenant}</td>
              <td>{state}</td>
              <td>{instances.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {flows.length > mostRows && <p class="hint">and {flows.length - mostRows} more rows</p>}
  </>
);
