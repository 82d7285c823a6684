"""What people look at: coloured previews, tables and pages, drawn from documents and saved results."""
