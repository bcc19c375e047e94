-- AlterTable
ALTER TABLE "entry_point" ADD COLUMN     "is_set_up" BOOLEAN NOT NULL DEFAULT false;
