"""Round logs: handed in, listed, their receipts, their rounds."""

from django.urls import path

from audits.web.logs import handing_in, pages

urlpatterns = [
    path("", pages.rounds, name="rounds"),
    path("hand-in/", handing_in.hand_in, name="hand_in"),
    path("hand-in/begin/", handing_in.begin, name="begin_hand_in"),
    path("hand-ins/<uuid:uuid>/", handing_in.run, name="hand_in_run"),
    path("hand-ins/<uuid:uuid>/pieces/", handing_in.pieces, name="hand_in_pieces"),
    path("hand-ins/<uuid:uuid>/pieces/<int:number>/", handing_in.piece, name="hand_in_piece"),
    path("hand-ins/<uuid:uuid>/finish/", handing_in.finish, name="finish_hand_in"),
    path("hand-ins/<uuid:uuid>/give-up/", handing_in.give_up, name="give_up_hand_in"),
    path("logs/<uuid:uuid>/", pages.receipt, name="round_log"),
    path("logs/<uuid:uuid>/proof/", pages.proof, name="round_log_proof"),
    path("logs/<uuid:uuid>/rejected/", pages.rejected, name="rejected_lines"),
    path("logs/<uuid:uuid>/lines/<int:number>/", pages.line, name="log_line"),
    path("logs/<uuid:uuid>/file/", pages.evidence, name="round_log_file"),
]
