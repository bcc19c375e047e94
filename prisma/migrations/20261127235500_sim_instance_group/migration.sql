-- The simulated cloud counts the members of a group on a host for each move that it begins.
CREATE INDEX "sim_instance_group_key_idx" ON "sim_instance"("group_key");
