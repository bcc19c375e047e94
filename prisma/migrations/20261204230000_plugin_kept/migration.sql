-- What a run of an action plug-in has to find again after the death of its worker, such as the job of another system.
ALTER TABLE "action_plugin_instance" ADD COLUMN "kept" JSONB;
