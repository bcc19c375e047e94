import { joinedRuns } from '../../../clouds/simulated/joined-runs';

interface Run {
  readonly end: () => void;
  readonly fail: (error: Error) => void;
}

const aWork = (): { runs: Run[]; work: () => Promise<void> } => {
  const runs: Run[] = [];
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      runs.push({ end: resolve, fail: reject });
    });
  return { runs, work };
};

const settled = async (): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve));
};

describe('work that many ask for', () => {
  it('runs at once for the first', async () => {
    const { runs, work } = aWork();
    const asked = joinedRuns(work)();
    runs[0]!.end();
    await expect(asked).resolves.toBeUndefined();
    expect(runs).toHaveLength(1);
  });

  it('runs once more for all who ask while it runs, when that run is over', async () => {
    const { runs, work } = aWork();
    const ask = joinedRuns(work);
    const first = ask();
    const others = [ask(), ask(), ask()];
    await settled();
    expect(runs).toHaveLength(1);
    runs[0]!.end();
    await first;
    await settled();
    expect(runs).toHaveLength(2);
    runs[1]!.end();
    await Promise.all(others);
    expect(runs).toHaveLength(2);
  });

  it('never serves anybody by a run that began before', async () => {
    const { runs, work } = aWork();
    const ask = joinedRuns(work);
    void ask();
    void ask();
    runs[0]!.end();
    await settled();
    const late = ask();
    runs[1]!.end();
    await settled();
    expect(runs).toHaveLength(3);
    runs[2]!.end();
    await expect(late).resolves.toBeUndefined();
  });

  it('tells a failure to those who waited for that run alone, and runs again', async () => {
    const { runs, work } = aWork();
    const ask = joinedRuns(work);
    const [first, second] = [ask(), ask()];
    runs[0]!.fail(new Error('no database'));
    await expect(first).rejects.toThrow('no database');
    await settled();
    runs[1]!.end();
    await expect(second).resolves.toBeUndefined();
    runs.length = 0;
    const third = ask();
    runs[0]!.end();
    await expect(third).resolves.toBeUndefined();
  });
});
