/**
 * Some of the moments that hurt most, those in which a fact is recorded and nobody knows it yet, in the course of one
 * session; all of them, with every process and each for itself, are part of the fault run (test/faults).
 */
import { testMoments } from './moment-tests';

testMoments([
  [
    { victim: 'api', moment: 'reply' },
    { victim: 'postgres', moment: 'admission' },
    { victim: 'worker', moment: 'mid-move' },
  ],
]);
