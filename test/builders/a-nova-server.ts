/** A server as Nova answers it. */
import type { NovaServer } from '../../clouds/openstack/nova/answers';

export interface NovaServerWish extends Omit<Partial<NovaServer>, 'flavor'> {
  readonly flavor?: Partial<NovaServer['flavor']>;
  /** Extra specs of the flavor. */
  readonly specs?: Readonly<Record<string, string>>;
}

export const aNovaServer = ({ flavor, specs = {}, ...given }: NovaServerWish = {}): NovaServer => ({
  id: 'server-1',
  name: 'web-1',
  tenant_id: 'project-1',
  status: 'ACTIVE',
  'OS-EXT-SRV-ATTR:host': 'compute-1',
  'OS-EXT-STS:task_state': null,
  image: { id: 'image-1', properties: {} },
  pinned_availability_zone: null,
  scheduler_hints: {},
  ...given,
  flavor: {
    original_name: 'small',
    vcpus: 2,
    ram: 1024,
    disk: 10,
    ephemeral: 0,
    swap: 0,
    extra_specs: specs,
    ...flavor,
  },
});
