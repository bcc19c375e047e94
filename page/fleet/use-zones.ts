/** The zones of the hosts of the cloud, as far as it tells them. */
import { useMemo } from 'preact/hooks';
import { useLook } from '../live/use-look';
import { useSignedIn } from '../signed-in';
import type { ZoneOf } from './groups';

export const useZones = (): ZoneOf => {
  const { api } = useSignedIn();
  const look = useLook<ReadonlyMap<string, string>>('zones', {
    read: async () => {
      const { hosts } = await api.choices();
      return {
        body: new Map(hosts.flatMap(({ hostname, zone }) => (zone === null ? [] : [[hostname, zone] as const]))),
      };
    },
    // Hosts hardly ever change their zone.
    everyMs: 600_000,
  });
  const zones = look.seen.value?.body;
  return useMemo(() => (hostname) => zones?.get(hostname), [zones]);
};
