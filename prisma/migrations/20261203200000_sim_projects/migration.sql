-- The names of projects in the simulated cloud, for people.
CREATE TABLE "sim_project" (
  "project_id" TEXT NOT NULL,
  "project_key" TEXT GENERATED ALWAYS AS ("id_key"("project_id")) STORED NOT NULL,
  "name" TEXT NOT NULL,
  PRIMARY KEY ("project_key")
);
