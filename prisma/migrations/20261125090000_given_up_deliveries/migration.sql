ALTER TABLE "webhook_delivery" ADD COLUMN "given_up_at" TIMESTAMPTZ(3);

-- Deliveries that were given up stay, so that they can be replayed; looks at what is pending pass over them.
CREATE INDEX "webhook_delivery_pending" ON "webhook_delivery"("webhook_id") WHERE "given_up_at" IS NULL;
