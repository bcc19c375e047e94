/** SCALE_IN where nobody gives up anything, in a cloud of its own: capacity that other sessions free would count. */
import { aZone } from '../../builders/a-zone';
import type { ManagerAnswer } from '../rig/manager';
import { endReplyWindows } from '../rig/reply-windows';
import { tellSideBySide } from '../rig/side-by-side';

const two = { slots: 2 };

const nobodyHelps = aZone(2, {
  hosts: { a: two, b: two },
  instances: [
    [1, 'a'],
    [2, 'a'],
    [3, 'b', { project: 2 }],
    [4, 'b', { project: 2 }],
  ],
});
const { story, judgeTrace } = tellSideBySide({
  zones: [nobodyHelps],
  environment: { PARLEY_SCALE_IN_ROUNDS: '2' },
});

story('fails after the configured rounds and names what is missing', async (stage) => {
  const { admin, db, manage, rig } = stage;
  let freesNothing: ManagerAnswer = { answer: 'ACK' };
  const managers = [1, 2].map((n) => manage(nobodyHelps.project(n), () => freesNothing));
  const sessionId = await admin.create({ hosts: nobodyHelps.hostNames });
  // The project has agreed: until its window ends, the session watches the cloud for freed capacity.
  await admin.untilReason(sessionId, ({ who, waiting_for, subject, because, remaining_seconds }) => {
    const isTimed = remaining_seconds !== null && remaining_seconds > 0;
    const isAmountTold = because?.includes('MB of memory more on 1 other host') === true;
    return (
      isAmountTold &&
      who === nobodyHelps.host('a') &&
      waiting_for === 'room' &&
      subject === nobodyHelps.project(1) &&
      isTimed
    );
  });
  const failed = admin.until(sessionId, 'MAINTENANCE_FAILED');
  freesNothing = { answer: 'ACK', isAll: true };
  await endReplyWindows(rig, sessionId);
  const { session, hosts } = await failed;
  expect(session.prev_state).toBe('SCALE_IN');
  expect(session.failure).toMatch(/2 rounds of SCALE_IN/);
  expect(session.failure).toMatch(
    /host z2-[ab] needs the least, ([1-9]\d* (vcpus|MB of memory)( and )?)+ more on 1 other host;/,
  );
  const timesAsked = managers.map(({ told }) => told.filter(({ state }) => state === 'SCALE_IN').length);
  expect(timesAsked).toEqual([2, 2]);
  expect(hosts.every(({ disabled, maintained }) => disabled === false && maintained === false)).toBe(true);
  expect(await db.simHost.count({ where: { name: { in: [...nobodyHelps.hostNames] }, disabled: true } })).toBe(0);
});

judgeTrace();
