"""Family `versus`: players bet against each other, and the best hands win the pots."""
