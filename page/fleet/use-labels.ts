/** The labels of the hosts of the cloud, as far as it tells them. */
import { useMemo } from 'preact/hooks';
import type { HostLabels } from '../../rules/selectors/labels';
import { useLook } from '../live/use-look';
import { useSignedIn } from '../signed-in';
import type { LabelsOf } from './groups';

export const useLabels = (): LabelsOf => {
  const { api } = useSignedIn();
  const look = useLook<ReadonlyMap<string, HostLabels>>('labels', {
    read: async () => {
      const { hosts } = await api.choices();
      return { body: new Map(hosts.map(({ hostname, labels }) => [hostname, labels])) };
    },
    // Hosts hardly ever change their labels.
    everyMs: 600_000,
  });
  const labels = look.seen.value?.body;
  return useMemo(() => (hostname) => labels?.get(hostname) ?? {}, [labels]);
};
