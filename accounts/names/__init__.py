"""Rules for names: spelling, look-alikes, reserved names."""
