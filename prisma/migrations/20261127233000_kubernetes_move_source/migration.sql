-- No code reads on which node a pod was when its move began.
ALTER TABLE "kubernetes_move" DROP COLUMN "source";
