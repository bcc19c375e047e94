-- Hosts that were enabled lately are looked up at every decision and beginning, among those of all sessions there were.
CREATE INDEX "session_host_enabled_at_idx" ON "session_host"("enabled_at");
