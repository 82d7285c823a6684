"""Running the road over many documents: settings, pipeline, batch with a journal, verification, the run record."""
