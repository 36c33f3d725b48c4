"""Report content as blocks without a medium, and the PDF that is made from them."""
